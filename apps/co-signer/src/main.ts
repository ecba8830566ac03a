import { nodePorts } from '@holdfast/ports/node'
import { runCommand } from './commands/run-command.ts'
import { packCoSigner } from './pack-co-signer.ts'

const { argv, exit } = nodePorts.process
const [name, path] = argv
await exit(name === 'pack' ? await packCoSigner(nodePorts, path) : await runCommand(nodePorts, argv))
