// SPDX-License-Identifier: Apache-2.0
// The marks of one function (sim/ptx/mark.h): instructions that do nothing, and the predictions that they are of.
//
// A name is of its function: two functions may have predictions of one name. A compiler that unrolls or inlines makes
// copies of a mark; all of them are of the same prediction.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "sim/compiler/code/virtual_code.h"
#include "sim/compiler/lowering/call_graph.h"
#include "sim/ptx/module.h"

namespace heddle::compiler {

class MarkLowering {
 public:
  MarkLowering(const ptx::Module& module, const CallGraph& graph, VirtualCode& code)
      : module_(module), graph_(graph), code_(code) {}

  /// Appends a mark to the code.
  /// \throws ptx::Error for a function that is not there, and a threshold that is not that of the marks before it
  void add(const ptx::Statement& statement);

  /// \throws ptx::Error for a prediction without a point, and a point without a prediction: a compiler took the other away
  void finish() const;

 private:
  struct Found {
    int index = -1;  // in VirtualCode::predictions
    bool is_predicted = false, has_point = false;
    ptx::Location where;
  };

  Found& prediction_of(const ptx::Statement& statement);
  int function_of(const ptx::Statement& statement) const;

  const ptx::Module& module_;
  const CallGraph& graph_;
  VirtualCode& code_;
  std::map<std::pair<bool, std::string>, Found> found_;  // by: is it a function's, name
};

}  // namespace heddle::compiler
