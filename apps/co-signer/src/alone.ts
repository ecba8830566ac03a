import { nodePorts } from '@holdfast/ports/node'
import { runCommand } from './commands/run-command.ts'

// The co-signer as one file, which needs Node and nothing else: what `pack` makes of this module.

await nodePorts.process.exit(await runCommand(nodePorts, nodePorts.process.argv))
