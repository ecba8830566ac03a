/**
 * What each role may do, as data. A permission is named by what it is about and what is done to it; endpoints name the one they need.
 * These rights decide what a person may ask of the server. Whether money moves is decided by the policy that the signers hold.
 */
export const roles = ['owner', 'admin', 'finance', 'approver', 'compliance', 'viewer'] as const
export type Role = (typeof roles)[number]

const everybody = [
  'wallet.read',
  'address.read',
  'transaction.read',
  'approval.read',
  'policy.read',
  'evidence.read',
  'address_book.read',
  'collection.read',
  'co_signer.read',
  'cold_wallet.read',
  'kyt.read',
  'trade.read',
  'tools.read',
  'invoice.read',
  'member.read',
  'notification.read',
] as const

const reading = [...everybody, 'login_history.read', 'api.read', 'strategy.read', 'log.read'] as const

const paying = [
  'withdraw.create',
  'withdraw.cancel',
  'transaction.mark',
  'deposit.assign',
  'web3.create',
  'batch.create',
  'trade.create',
  'collection.operate',
  'address.create',
  'address_book.write',
  'export.create',
  'notification.write',
  'cold_wallet.operate',
  'tools.write',
] as const

const administering = [
  'wallet.create',
  'wallet.update',
  'withdraw.audit',
  'deposit.audit',
  'collection.write',
  'co_signer.write',
  'cold_wallet.write',
  'strategy.write',
  'policy.propose',
  'api.write',
  'member.write',
  'kyt.write',
  'invoice.write',
  'address_book.audit',
] as const

/** Role -> permissions. A role that is not here has none. */
export const permissionsOfRole: Readonly<Record<Role, readonly string[]>> = {
  owner: [...reading, ...paying, ...administering, 'kyt.review', 'key.kit', 'key.recover', 'organisation.write', 'member.remove'],
  admin: [...reading, ...paying, ...administering, 'kyt.review', 'key.kit'],
  finance: [...reading, ...paying],
  approver: [...reading, 'withdraw.audit', 'deposit.audit', 'address_book.audit'],
  compliance: [...reading, 'kyt.write', 'kyt.review', 'export.create', 'transaction.mark', 'withdraw.audit', 'deposit.audit'],
  viewer: [...everybody],
}

const permissions: ReadonlyMap<string, ReadonlySet<string>> = new Map(Object.entries(permissionsOfRole).map(([role, names]) => [role, new Set(names)]))
const NONE: ReadonlySet<string> = new Set()

/** The permissions of a role; none if the role is unknown. */
export const permissionsOf = (role: string): ReadonlySet<string> => permissions.get(role) ?? NONE
