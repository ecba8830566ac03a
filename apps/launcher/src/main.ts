import { nodePorts as ports, projectFolder } from '@holdfast/ports/node'
import { keepRunning } from './keep-running.ts'
import { localSettings } from './local-settings.ts'
import { startLocalStack } from './local-stack.ts'

const USAGE = 'npm start [-- --fresh]\n  --fresh  forget everything in the data folder and begin anew'
const MARKER = 'holdfast-local-installation'

async function main(): Promise<void> {
  const { argv, print } = ports.process
  const unknown = argv.filter((each) => each !== '--fresh')
  if (unknown.length > 0) {
    ports.process.printError(`Unknown: ${unknown.join(' ')}\n${USAGE}`)
    await ports.process.exit(2)
  }
  const startedMs = ports.clock.monotonicMs()
  const settings = localSettings(ports, await projectFolder(import.meta.url))
  if (argv.includes('--fresh')) await forget(settings.folder)
  await ports.disk.makeFolder(settings.folder)
  await ports.disk.writeAtomic(`${settings.folder}/${MARKER}`, new Uint8Array())
  const stack = await startLocalStack(ports, settings, print)
  const kept = keepRunning(ports, stack, print)
  ports.process.onStop(async () => {
    print('\nStopping')
    kept.stop()
    await stack.stop()
  })
  print(`
Holdfast is running (started in ${((ports.clock.monotonicMs() - startedMs) / 1000).toFixed(1)} s)

  Console         ${settings.consoleOrigin}/mpc
  Approval page   ${settings.approvalOrigin}
  … of signer 2   ${settings.secondApprovalOrigin}
  Faucet          ${settings.faucetUrl}   (coins without value on every local network)
  Data folder     ${settings.folder}

Stop with Ctrl-C; the data stays. Begin anew with npm start -- --fresh`)
  // The children keep working; this process starts again what ends, and waits to stop them.
  const lost = await kept.lost
  ports.process.printError(`Without the ${lost} the others are of no use. Stopping them.`)
  kept.stop()
  await stack.stop()
  await ports.process.exit(1)
}

/** Deletes the data folder, and only a folder that an earlier start marked as its own. */
async function forget(folder: string): Promise<void> {
  if ((await ports.disk.list(folder)).length === 0) return
  if (!(await ports.disk.read(`${folder}/${MARKER}`))) throw new Error(`${folder} does not look like a data folder of ours: delete it yourself if it is`)
  await ports.disk.remove(folder)
}

await main().catch(async (cause) => {
  ports.process.printError(cause instanceof Error ? cause.message : String(cause))
  await ports.process.exit(1)
})
