#pragma once

constexpr unsigned TileWidth = 32;  // width and height of the matrix are multiples of it
constexpr unsigned RowsPerTurn = 8;
