// Whether a certificate is about what its reader asks for. Program, entry, defines, data model and property are those of
// the command line; the certificate only has to say the same. Nothing of it is ever used to read the program.
import { type CertificateFile, type ClaimedTask, Rejected } from '../certificate/index.js'
import { oneLine } from './formula.js'

export interface Asked extends ClaimedTask {
  readonly property: string
  readonly memoryModel: string
}

export const requireSameClaim = ({ property, task, assumptions }: CertificateFile, asked: Asked): void => {
  same('property', property, asked.property, '--property')
  same('task.entry', task.entry, asked.entry, '--entry')
  same('task.dataModel', task.dataModel, asked.dataModel, '--data-model')
  same('task.defines', task.defines.join(' '), asked.defines.join(' '), '-D')
  same('task.spuriousWakeups', onOff(task.spuriousWakeups), onOff(asked.spuriousWakeups), '--spurious-wakeups')
  same('task.mallocMayFail', onOff(task.mallocMayFail), onOff(asked.mallocMayFail), '--malloc-may-fail')
  same('assumptions', memoryModelOf(assumptions), asked.memoryModel, '--memory-model')
  if (task.cpp !== asked.cpp)
    throw new Rejected(
      'task.cpp',
      task.cpp === undefined
        ? 'the program was read without --cpp'
        : `the program was preprocessed by ${quoted(task.cpp)}; nothing that a certificate names is executed: give --cpp yourself if you trust it`,
    )
  if (task.hashes.length !== asked.hashes.length)
    throw new Rejected('task.hashes', `it is about ${task.hashes.length} files, here are ${asked.hashes.length}`)
  for (const [i, hash] of asked.hashes.entries())
    if (task.hashes[i] !== hash)
      throw new Rejected(
        `task.hashes[${i}]`,
        'the proof is about another version of this file, or about another file (the SHA-256 differs)',
      )
}

const same = (place: string, claimed: string, asked: string, option: string): void => {
  if (claimed !== asked)
    throw new Rejected(place, `it is about ${quoted(claimed)}, you asked about ${quoted(asked)} (${option})`)
}

const onOff = (value: boolean): string => (value ? 'on' : 'off')

const quoted = (text: string): string => `"${oneLine(text)}"`

const memoryModelOf = (assumptions: CertificateFile['assumptions']): string =>
  assumptions.find(({ kind }) => kind === 'memory-model')?.model ?? 'sc'
