#pragma once

constexpr unsigned TileWidth = 16;  // the size of a matrix is a multiple of it
