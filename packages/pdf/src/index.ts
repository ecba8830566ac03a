export { openPdfDesk, type PdfDesk, PdfDeskBusyError } from './pdf-desk.ts'
export type { Sheet } from './write-pdf.ts'
