/** Starts one local network in this process, prints how long that took and what it holds in memory, and ends. `none` starts nothing. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { nodePorts } from '@holdfast/ports/node'

type Started = { pid?: number | undefined; stop(): Promise<void> }

const folder = mkdtempSync(`${tmpdir()}/holdfast-network-`)
const held = { dataFolder: folder, blockTimeMs: 1_000 }
const networks: Record<string, () => Promise<Started>> = {
  none: async () => ({ stop: async () => {} }),
  evm: async () => {
    const { runAnvil } = await import('../apps/devnet/src/run-anvil.ts')
    const { child, stop } = await runAnvil(nodePorts, 0, `${folder}/log`)
    return { pid: child.pid, stop }
  },
  tron: async () => (await import('@holdfast/devnet/tron')).startTron(nodePorts, { ...held, port: 0 }),
  bitcoin: async () => (await import('@holdfast/devnet/bitcoin')).startBitcoinEmulator(nodePorts, { rpcPort: 0 }),
  ton: async () => (await import('@holdfast/devnet/ton')).startTon(nodePorts, { ...held, port: 0 }),
}
const name = process.argv[2] ?? ''
const start = networks[name]
if (!start) throw new Error(`no network ${name}: there are ${Object.keys(networks).join(', ')}`)
const startedMs = performance.now()
const network = await start()
const ms = performance.now() - startedMs
// A network that is a program of its own is measured as that program.
const status = readFileSync(`/proc/${network.pid ?? 'self'}/status`, 'utf8')
console.log(JSON.stringify({ ms, residentMb: Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024) }))
await network.stop()
rmSync(folder, { recursive: true, force: true })
