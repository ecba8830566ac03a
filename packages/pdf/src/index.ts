export { openPdfDesk, type PdfDesk, PdfDeskBusy } from './pdf-desk.ts'
export type { Sheet } from './write-pdf.ts'
