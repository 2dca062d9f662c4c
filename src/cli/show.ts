// heddle show: what the front end understood, as text, DOT or JSON, before or after the passes.
import { parseProperty, propertyProgram } from '../property/index.js'
import { prepare } from '../xcfa/passes/index.js'
import { printDot, printJson, printText } from '../xcfa/print/index.js'
import { loadProgram } from './load.js'
import { type CommandOption, parseArguments, VERIFY_OPTIONS } from './options.js'
import { requestFrom } from './verify.js'
