export { Palette as default } from '@holdfast/ui'
