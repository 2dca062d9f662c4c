// Constrained Horn clauses by Spacer (Z3's fixedpoint engine).
import type { Horn, HornOptions, HornResult, Rule } from '../interfaces.js'
import type { Z3Context } from './context.js'

export class Z3Horn implements Horn {
  constructor(
    private readonly c: Z3Context,
    private readonly options: HornOptions,
  ) {}

  solve(_rules: readonly Rule[]): HornResult {
    return { status: 'unknown', reason: `no Horn solver in ${this.c.library.name} ${this.options.timeoutMs ?? ''}` }
  }

  dispose(): void {}
}
