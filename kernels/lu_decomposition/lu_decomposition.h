// What kernel and driver of `lu_decomposition` agree on.
#pragma once

constexpr unsigned LuTile = 16;  // rows and columns of a tile
