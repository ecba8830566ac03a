/** A right to sign for an account: keys whose weights must reach the threshold. `name` is text of whoever wrote it. */
export type Permission = { id: bigint; name: string; threshold: bigint; keys: { address: string; weight: bigint }[] }

/** Who may sign for an account, where the chain lets an account say so. `isOwn`: its own key by itself under every permission, and no other key under any. */
export type AccountControl = { isOwn: boolean; permissions: Permission[] }
