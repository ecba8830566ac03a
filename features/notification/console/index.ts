/** Pages of this feature; each is fetched when it is first opened. */
export const loadNotificationPage = () => import('./notification-page.tsx').then((module) => module.NotificationPage)
