export { DrawerHost as default } from '@holdfast/ui'
