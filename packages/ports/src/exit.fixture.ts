import { nodePorts } from './node.ts'

const { argv, print, printError, exit, onStop } = nodePorts.process
const say = () => {
  for (let i = 1; i <= Number(argv[0]); i++) {
    print(`line ${i}`)
    printError(`error ${i}`)
  }
}
if (argv[1] === 'when stopped') {
  onStop(async () => say())
  nodePorts.timer.after(600_000, () => {})
  print('ready')
} else {
  say()
  await exit(3)
}
