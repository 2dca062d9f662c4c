# Tool-info module for BenchExec: `benchexec` finds it as `--tool-directory` plus tool name, or when this file
# is put beside BenchExec's own modules. The command line and the last line of its output are docs/cli.md.
import re

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """Heddle, a software model checker for concurrent C programs."""

    REQUIRED_PATHS = ["dist", "node_modules", "package.json"]

    def executable(self, tool_locator):
        return tool_locator.find_executable("heddle", subdir="node_modules/.bin")

    def name(self):
        return "Heddle"

    def version(self, executable):
        return self._version_from_tool(executable)

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "verify", *options]
        if task.property_file:
            command += ["--property", task.property_file]
        if isinstance(task.options, dict) and "data_model" in task.options:
            command += ["--data-model", task.options["data_model"].lower()]
        limit = rlimits.walltime or rlimits.cputime
        if limit and "--timeout" not in options:
            command += ["--timeout", f"{limit}s"]
        if rlimits.memory and "--memory" not in options:
            command += ["--memory", f"{rlimits.memory // 1000000}M"]
        return [*command, *task.input_files]

    def determine_result(self, run):
        verdicts = (re.match(r"VERDICT: (TRUE|FALSE|UNKNOWN)(?:\((.*)\))?$", line) for line in reversed(run.output))
        verdict = next((match for match in verdicts if match), None)
        if verdict is None:
            return result.RESULT_ERROR
        answer, detail = verdict.groups()
        if answer == "TRUE":
            return result.RESULT_TRUE_PROP
        if answer == "UNKNOWN":
            return f"{result.RESULT_UNKNOWN}({detail})" if detail else result.RESULT_UNKNOWN
        return {
            "assert": result.RESULT_FALSE_REACH,
            "unreach-call": result.RESULT_FALSE_REACH,
            "no-data-race": result.RESULT_FALSE_DATARACE,
            "no-deadlock": result.RESULT_FALSE_DEADLOCK,
            "termination": result.RESULT_FALSE_TERMINATION,
            "no-overflow": result.RESULT_FALSE_OVERFLOW,
            "valid-deref": result.RESULT_FALSE_DEREF,
            "valid-free": result.RESULT_FALSE_FREE,
            "valid-memtrack": result.RESULT_FALSE_MEMTRACK,
        }.get(detail, f"false({detail})")

    def get_value_from_output(self, output, identifier):
        for line in output:
            match = re.match(rf"\s*{re.escape(identifier)}\s+([\d,.]+)", line)
            if match:
                return match.group(1).replace(",", "")
        return None
