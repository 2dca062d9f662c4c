// heddle doctor: which solvers were found, and what to install for more speed.
import { probe } from '../smt/index.js'
import { VERSION } from './version.js'

export const doctor = async (): Promise<number> => {
  console.log(`heddle ${VERSION}, node ${process.version}, ${process.platform} ${process.arch}\n`)
  for (const solver of await probe()) {
    const mark = solver.found ? '✓' : '-'
    console.log(
      `${mark} ${solver.kind.padEnd(8)} ${solver.found ? `${solver.version} ${solver.path ?? ''}`.trim() : (solver.advice ?? 'not found')}`,
    )
  }
  return 0
}
