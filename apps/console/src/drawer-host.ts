export { DrawerHost } from '@holdfast/ui'
