// What a report says of the task, so that it can be checked and replayed without the call.
import type { TaskReport } from '../../verdict/index.js'
import type { Request } from './request.js'

export const taskOf = (request: Request): TaskReport => {
  const { files, dataModel, entry, defines, includeDirs, cpp, spuriousWakeups, mallocMayFail } = request
  const { undefines, preincludes, headers, std, externs, volatileIsAtomic, fileOptions } = request
  return {
    ...{ files, dataModel, entry, defines, includeDirs, spuriousWakeups, mallocMayFail },
    ...(cpp !== undefined && { cpp }),
    ...(undefines && { undefines }),
    ...(preincludes && { preincludes }),
    ...(headers !== undefined && headers !== 'auto' && { headers }),
    ...(std !== undefined && { std }),
    ...(externs && { externs }),
    ...(volatileIsAtomic && { volatileIsAtomic }),
    ...(fileOptions && { fileOptions }),
  }
}
