// SHA-256 and random names. Node's cryptography is loaded with the first call: few runs need it, and start-up is what a
// user notices first.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

const crypto = (): typeof import('node:crypto') => require('node:crypto') as typeof import('node:crypto')

/** In hexadecimal. */
export const sha256 = (data: string | Uint8Array): string => crypto().createHash('sha256').update(data).digest('hex')

/** Two hexadecimal digits for each byte. */
export const randomHex = (bytes: number): string => crypto().randomBytes(bytes).toString('hex')
