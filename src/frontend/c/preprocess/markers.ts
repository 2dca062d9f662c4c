// A file that was preprocessed already (.i): only its line markers are left to read.
import { Unsupported } from '../../../xcfa/index.js'
import { Packing } from './packing.js'
import type { Preprocessed } from './preprocessed.js'
import { Source } from './source.js'

const DIRECTIVE = /^[ \t]*#[^\n]*/gm
const MARKER = /^[ \t]*#[ \t]*(?:line[ \t]+)?([0-9]+)(?:[ \t]+"((?:[^"\\]|\\.)*)")?/
const PACK = /^[ \t]*#[ \t]*pragma[ \t]+pack\b/
const HARMLESS = /^[ \t]*#[ \t]*(?:pragma\b|ident\b|sccs\b|$)/

/** Undefined if the text has directives that need the whole preprocessor. */
export const readLineMarkers = (file: string, text: string): Preprocessed | undefined => {
  const source = new Source(file, text)
  const packing = new Packing()
  let complete = true
  const blanked = text.replace(DIRECTIVE, (line: string, offset: number) => {
    const marker = MARKER.exec(line)
    if (marker) source.mark(offset, Number(marker[1]), marker[2])
    else if (PACK.test(line)) {
      if (!packing.change(offset, line.replace(PACK, ''))) throw new Unsupported(line.trim(), source.position(offset))
    } else if (!HARMLESS.test(line)) complete = false
    return ' '.repeat(line.length)
  })
  return complete
    ? { file, text: blanked, position: (offset) => source.position(offset), packs: packing.packs }
    : undefined
}
