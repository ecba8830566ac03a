export { Palette } from '@holdfast/ui'
