// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/child.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace heddle::cli {

namespace {

void write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno != EINTR) break;  // it does not read on: its exit code tells why
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  close(file);
}

std::string read_all(int file) {
  std::string text;
  char buffer[1 << 16];
  for (ssize_t count; (count = read(file, buffer, sizeof buffer)) != 0;) {
    if (count > 0)
      text.append(buffer, static_cast<std::size_t>(count));
    else if (errno != EINTR)
      break;
  }
  close(file);
  return text;
}

}  // namespace

std::string output_of(const std::vector<std::string>& command, const std::string& asked, const std::string& input) {
  const std::string& name = command.front();
  int to_child[2], from_child[2];
  if (pipe(to_child) != 0 || pipe(from_child) != 0)
    throw std::runtime_error("no pipe: " + std::string(strerror(errno)));
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error(fmt::format("{} cannot be started: {}", name, strerror(errno)));
  if (child == 0) {
    dup2(to_child[0], STDIN_FILENO);
    dup2(from_child[1], STDOUT_FILENO);
    for (const int file : {to_child[0], to_child[1], from_child[0], from_child[1]}) close(file);
    execv(words[0], words.data());
    dprintf(STDERR_FILENO, "%s cannot be started: %s\n", words[0], strerror(errno));
    _exit(127);
  }
  close(to_child[0]);
  close(from_child[1]);
  std::signal(SIGPIPE, SIG_IGN);
  std::thread writer(write_all, to_child[1], input);
  std::string output = read_all(from_child[0]);
  writer.join();
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error(asked + ": this is not possible, for the reason above");
  return output;
}

}  // namespace heddle::cli
