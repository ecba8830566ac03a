export { type Sheet, writePdf } from './write-pdf.ts'
