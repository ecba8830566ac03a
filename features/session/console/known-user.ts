const STORAGE_KEY = 'holdfast.user'

/** Who was signed in here last: id and name, nothing that gives access. */
export type KnownUser = { userId: string; name: string }

/** Keeps who is signed in, so that the next visit can prepare their pages while it asks the server. */
export function keepUser(storage: Pick<Storage, 'setItem'>, user: KnownUser): void {
  storage.setItem(STORAGE_KEY, JSON.stringify({ userId: user.userId, name: user.name }))
}

export function readUser(storage: Pick<Storage, 'getItem'>): KnownUser | undefined {
  try {
    const kept: unknown = JSON.parse(storage.getItem(STORAGE_KEY) ?? 'null')
    if (typeof kept !== 'object' || kept === null) return undefined
    const { userId, name } = kept as Record<string, unknown>
    return typeof userId === 'string' && typeof name === 'string' ? { userId, name } : undefined
  } catch {
    return undefined
  }
}

export function forgetUser(storage: Pick<Storage, 'removeItem'>): void {
  storage.removeItem(STORAGE_KEY)
}
