import { nodePorts } from './node.ts'

const { argv, print, printError, exit } = nodePorts.process
for (let i = 1; i <= Number(argv[0]); i++) {
  print(`line ${i}`)
  printError(`error ${i}`)
}
await exit(3)
