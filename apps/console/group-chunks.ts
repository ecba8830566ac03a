import { build, type Rolldown } from 'vite'

type ChunkGroup = NonNullable<Exclude<Rolldown.OutputOptions['codeSplitting'], boolean | undefined>['groups']>[number]

/** Libraries that seldom change stay in the browser's cache while the pages change. */
const LIBRARIES: ChunkGroup[] = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
  // The parser is told here how to work, before any part of the console has made a schema.
  { name: 'base', test: /node_modules\/(@tanstack|i18next|react-i18next|react-router|zod)\/|\/configure-zod\.ts$/ },
]

/** A visitor fetches one language, and before signing in no more of it than the pages there say. */
const TEXTS: ChunkGroup[] = ['en-US', 'zh-CN'].flatMap((locale) => [
  { name: `${locale.toLowerCase()}-entry`, test: new RegExp(`/(apps/console|packages/ui/src|features/session)/locales/${locale}\\.json$`) },
  { name: `${locale.toLowerCase()}-pages`, test: new RegExp(`/features/[^/]+/locales/${locale}\\.json$`) },
  { name: `${locale.toLowerCase()}-late`, test: new RegExp(`/features/[^/]+/locales/pages/${locale}\\.json$`) },
])

/** The drawers that move money, what the wallets' page fetches once it stands, and what is in the frame of every page. */
const PAYMENTS = [
  ...['withdrawal/console/withdraw-drawer', 'withdrawal/console/several/pay-several-page', 'withdrawal/console/withdraw-action'],
  ...['withdrawal/console/closed-payments', 'withdrawal/console/payment-palette', 'withdrawal/console/open-send-inscription-drawer'],
  ...['contract-call/console/call-drawer', 'contract-call/console/call-facts', 'contract-call/console/call-action'],
  ...['deposit-address/console/deposit-drawer', 'deposit-address/console/deposit-action'],
  ...['transaction/console/record/order-detail', 'transaction/console/record/replace-drawer', 'transaction/console/pending-panel'],
  ...['wallet/console/chart/balance-panel', 'wallet/console/chart/flows-panel', 'wallet/console/wallet-palette'],
  ...['approval/console/todo-badge', 'inbox/console/inbox-bell', 'first-steps/console/first-steps', 'key-recovery/console/key-badge'],
  'search/console/search-palette',
]

/**
 * What whoever comes to pay asks for, one after the other: a file for each. A stage begins with some modules, and all they import belongs to it, except what an
 * earlier stage has brought.
 */
const STAGES = [
  { name: 'sign-in', begins: ['apps/console/src/main.tsx', 'features/session/console/login-page.tsx'] },
  { name: 'wallets', begins: ['apps/console/src/shell/shell.tsx', 'features/wallet/console/wallet-page.tsx'] },
  // Asked for as soon as the first page stands (preload-payments.ts).
  { name: 'payments', begins: ['apps/console/src/preload-payments.ts', 'apps/console/src/drawer-host.ts', ...PAYMENTS.map((path) => `features/${path}.tsx`)] },
]

/**
 * The groups into which the bundler puts the console's modules; every other page has a file of its own, and what several of them share has another. What a
 * page needs is known once unused code is gone, since the index of a package imports more than any page uses of it: it is read from a first build without
 * groups. Throws if a module with which a stage begins is not there.
 */
export async function chunkGroups(root: string, configFile: string): Promise<ChunkGroup[]> {
  const built = await build({ configFile, logLevel: 'error', build: { write: false, minify: false } })
  const { output } = built as Rolldown.RolldownOutput
  const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])))
  const fileOf = new Map([...chunks].flatMap(([name, { moduleIds }]) => moduleIds.map((id) => [id, name] as const)))
  const stages = STAGES.map(({ name, begins }): ChunkGroup => {
    const files = new Set(
      begins.map((path) => {
        const file = fileOf.get(`${root}/${path}`)
        if (file === undefined) throw new Error(`the console has no module ${path}: name anew what comes with “${name}” in apps/console/group-chunks.ts`)
        return file
      }),
    )
    for (const file of files) for (const imported of chunks.get(file)?.imports ?? []) files.add(imported)
    const modules = new Set([...files].flatMap((file) => chunks.get(file)?.moduleIds ?? []))
    return { name, test: (id) => modules.has(id), includeDependenciesRecursively: false }
  })
  return [...LIBRARIES, ...TEXTS, ...stages]
}
