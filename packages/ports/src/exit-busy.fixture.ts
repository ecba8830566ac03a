import { pbkdf2Sync } from 'node:crypto'
import { nodePorts } from './node.ts'

// While the main thread works outside of JavaScript, as it does when it ends, a thread that allocates comes to need a collection and waits for it.
const ROUNDS = 1_000_000
process.once('exit', () => pbkdf2Sync('password', 'salt', ROUNDS, 32, 'sha256'))
await nodePorts.process.exit(3)
