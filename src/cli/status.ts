// The exit status of every command (docs/cli.md).
export const STATUS = { true: 0, false: 1, wrongInput: 2, unknown: 3 } as const
