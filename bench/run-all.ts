import { spawnSync } from 'node:child_process'

// `npm run bench` prints one JSON line for each figure; with names, such as `npm run bench -- mpc stack`, only those. A number, as in `npm run bench -- scale 20000`,
// is how many orders the organisation has that is measured at scale, or how many addresses.
const root = new URL('..', import.meta.url).pathname
const benches: Record<string, string[]> = {
  mpc: ['bench/mpc.bench.ts', 'bench/two-processes.bench.ts', 'bench/words.bench.ts'],
  timing: ['bench/timing.bench.ts'],
  console: ['bench/console.bench.ts'],
  policy: ['bench/policy.bench.ts'],
  lists: ['bench/lists.bench.ts'],
  chains: ['bench/chains.bench.ts'],
  stack: ['bench/stack.bench.ts'],
  door: ['bench/door.bench.ts'],
  scale: ['bench/scale.bench.ts'],
  addresses: ['bench/addresses.bench.ts'],
  collection: ['bench/collection.bench.ts'],
  payouts: ['bench/payouts.bench.ts'],
  choosing: ['bench/choosing.bench.ts'],
}
const given = process.argv.slice(2)
const numbers = given.filter((each) => /^\d+$/.test(each))
const wanted = given.filter((each) => !numbers.includes(each))
const unknown = wanted.filter((name) => !Object.hasOwn(benches, name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are: ${Object.keys(benches).join(', ')}`)
  process.exit(2)
}
for (const file of Object.keys(benches).flatMap((name) => (wanted.length === 0 || wanted.includes(name) ? benches[name]! : []))) {
  const { status } = spawnSync('node', [file, ...numbers], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
