import { nodePorts } from '@holdfast/ports/node'
import { readConfig } from './read-config.ts'
import { startDevnet } from './start-devnet.ts'

const { env, exit, onStop, print, printError } = nodePorts.process

try {
  const starting = startDevnet(nodePorts, readConfig(env))
  // Asked to end while it starts, it first finishes starting: only then is there something whole to save and stop.
  onStop(async () => (await starting.catch(() => undefined))?.stop())
  const devnet = await starting
  print(`local development network ${devnet.chain} at ${devnet.rpcUrl}: play money only`)
  if (devnet.second) print(`second network ${devnet.second.chain} at ${devnet.second.rpcUrl}: play money only`)
  if (devnet.tron) print(`TRON emulator ${devnet.tron.chain} at ${devnet.tron.url}: a model of TRON, not TRON software; play money only`)
  if (devnet.bitcoin) print(`${devnet.bitcoin.label}, ${devnet.bitcoin.chain} at ${new URL(devnet.bitcoin.rpcUrl).host}: play money only`)
  if (devnet.ton) print(`TON emulator ${devnet.ton.chain} at ${devnet.ton.url}: real virtual machine, model of all around it; play money only`)
  print(`faucet at ${devnet.faucetUrl}`)
  const failure = await devnet.ended
  if (failure) throw failure
} catch (cause) {
  printError(`devnet: ${cause instanceof Error ? cause.message : cause}`)
  await exit(1)
}
