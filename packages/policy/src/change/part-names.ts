/**
 * What can have approvers of its own: members and their keys; rules and groups; assets that are pinned; what they are worth at most; machines; the whitelist of
 * the address book; orders about keys; standing orders. Nothing is done under `screening` and `coldAddresses` yet.
 */
export const PARTS = [
  'members',
  'strategies',
  'assets',
  'valuation',
  'machines',
  'addressBook',
  'keys',
  'screening',
  'standingOrders',
  'coldAddresses',
] as const
export type PartName = (typeof PARTS)[number]
