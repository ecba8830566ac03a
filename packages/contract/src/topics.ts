/** What the server tells every page of an organisation that looks on, in the words of its announcements. */
export const announcedTopics = [
  'balance.changed',
  'batch.changed',
  'book.changed',
  'collecting.changed',
  'deposit.changed',
  'machine.changed',
  'member.changed',
  'notification.changed',
  'order.changed',
  'policy.changed',
  'pull.changed',
  'standing.changed',
  'todo.changed',
  'tron.changed',
  'wallet.changed',
] as const

/** What nobody is told of: only the page that made the change asks again. */
export const untoldTopics = [
  'coin.changed',
  'contact.changed',
  'device.changed',
  'focus.changed',
  'inbox.changed',
  'label.changed',
  'mail.changed',
  'network.changed',
  'session.changed',
  'token.changed',
  'view.changed',
] as const

export type AnnouncedTopic = (typeof announcedTopics)[number]

/** What can change: a call that reads names what makes its answers stale, one that writes names what it changes. */
export type Topic = AnnouncedTopic | (typeof untoldTopics)[number]
