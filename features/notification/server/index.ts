export { type LocalHosts } from './receiver-address.ts'
export { notificationEndpoints, type NotificationNeeds } from './routes.ts'
export { startNotifications } from './run-notifications.ts'
export { notificationSubscriber } from './tell-receivers.ts'
