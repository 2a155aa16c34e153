import type { LogLine, ProgramLimits } from "./program";

/** Console output of a program, up to its limits, in bytes of the JSON that is stored; a last line says where it was cut. */
export class ProgramLog {
  readonly lines: LogLine[] = [];
  private bytes = 0;
  private full = false;

  constructor(private readonly limits: ProgramLimits) {}

  /** @returns true when the log is full */
  add(level: LogLine["level"], text: string): boolean {
    if (this.full) return true;
    const { max_log_lines, max_output_bytes } = this.limits;
    this.bytes += new TextEncoder().encode(JSON.stringify(text)).length;
    if (this.lines.length < max_log_lines && this.bytes <= max_output_bytes) {
      this.lines.push({ level, text });
      return false;
    }
    const limit = this.bytes > max_output_bytes ? `${max_output_bytes} bytes` : `${max_log_lines} lines`;
    this.lines.push({ level: "warn", text: `The log ends here: the program wrote more than ${limit}.` });
    this.full = true;
    return true;
  }
}
