// tsc output is not executable: npx needs the bit on the command line's entry.
import { chmodSync, existsSync } from 'node:fs'

const entry = new URL('../dist/cli/main.js', import.meta.url)
if (existsSync(entry)) chmodSync(entry, 0o755)
