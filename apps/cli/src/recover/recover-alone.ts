import { nodePorts } from '@holdfast/ports/node'
import { EXIT, UsageError } from '../command.ts'
import { recoverCommand } from './recover.ts'
import { RECOVER_USAGE } from './recover-usage.ts'

// The recovery tool as one file, which needs Node and nothing else: what `recover pack` makes of this module.

const { argv, printError, exit } = nodePorts.process
try {
  await exit(await recoverCommand({ ports: nodePorts, args: argv }))
} catch (error) {
  printError(error instanceof Error ? error.message : String(error))
  if (error instanceof UsageError) for (const line of RECOVER_USAGE) printError(line)
  await exit(error instanceof UsageError ? EXIT.usage : EXIT.failed)
}
