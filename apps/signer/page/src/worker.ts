/*
 * The page's worker. It keeps nothing, answers no request of the page and may ask nobody: it shows that something waits when a push comes, which says no more
 * than that, and opens the page when the notification is chosen.
 */

type PushEvent = Event & { waitUntil(work: Promise<unknown>): void; notification: Notification }
type PageWindow = { focus(): Promise<unknown> }
type Worker = {
  registration: ServiceWorkerRegistration
  clients: { matchAll(of: { type: 'window'; includeUncontrolled: boolean }): Promise<PageWindow[]>; openWindow(path: string): Promise<unknown> }
  addEventListener(kind: 'push' | 'notificationclick', act: (event: PushEvent) => void): void
}

const worker = self as unknown as Worker
const isChinese = navigator.language.startsWith('zh')
const TITLE = isChinese ? '有事项待您处理' : 'Something waits for your decision'
const BODY = isChinese ? '打开审批页面查看。' : 'Open the approval page to see it.'

worker.addEventListener('push', (event) => {
  const shown = { body: BODY, icon: '/icon-192.png', tag: 'waiting', lang: isChinese ? 'zh-CN' : 'en-US' }
  event.waitUntil(worker.registration.showNotification(TITLE, shown))
})

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPage())
})

async function openPage(): Promise<void> {
  const [open] = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  await (open ? open.focus() : worker.clients.openWindow('/'))
}
