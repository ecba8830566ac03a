/** A wallet or sub-wallet that was chosen: id and name, nothing that gives access. */
export type Chosen = { id: string; name: string }
export type Selection = { wallet: Chosen | undefined; subWallet: Chosen | undefined }

export type SelectionStore = {
  selection(): Selection
  /** Chooses a wallet; the sub-wallet of another wallet is forgotten. */
  chooseWallet(wallet: Chosen): void
  chooseSubWallet(subWallet: Chosen): void
  forgetWallet(): void
  forgetSubWallet(): void
  subscribe(listener: () => void): () => void
}

type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const WALLET_KEY = 'holdfast.wallet'
const SUB_WALLET_KEY = 'holdfast.sub-wallet'

function read(storage: KeyValueStorage, key: string): Chosen | undefined {
  try {
    const kept: unknown = JSON.parse(storage.getItem(key) ?? 'null')
    if (typeof kept !== 'object' || kept === null) return undefined
    const { id, name } = kept as Record<string, unknown>
    return typeof id === 'string' && typeof name === 'string' ? { id, name } : undefined
  } catch {
    return undefined
  }
}

/** The wallet and sub-wallet in use, stored in the browser. The stored choice is a wish: the server decides what may be seen. */
export function createSelectionStore(storage: KeyValueStorage): SelectionStore {
  let selection: Selection = { wallet: read(storage, WALLET_KEY), subWallet: read(storage, SUB_WALLET_KEY) }
  const listeners = new Set<() => void>()
  const write = (key: string, chosen: Chosen | undefined) => {
    if (chosen) storage.setItem(key, JSON.stringify({ id: chosen.id, name: chosen.name }))
    else storage.removeItem(key)
  }
  const change = (next: Selection) => {
    write(WALLET_KEY, next.wallet)
    write(SUB_WALLET_KEY, next.subWallet)
    selection = next
    for (const listener of listeners) listener()
  }
  return {
    selection: () => selection,
    chooseWallet: (wallet) => change({ wallet, subWallet: wallet.id === selection.wallet?.id ? selection.subWallet : undefined }),
    chooseSubWallet: (subWallet) => change({ ...selection, subWallet }),
    forgetWallet: () => change({ wallet: undefined, subWallet: undefined }),
    forgetSubWallet: () => change({ ...selection, subWallet: undefined }),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** The chosen item of a list; the first if none of them was chosen. */
export function chosenOf<T>(list: readonly T[], idOf: (each: T) => string, chosenId: string | undefined): T | undefined {
  return list.find((each) => idOf(each) === chosenId) ?? list[0]
}
