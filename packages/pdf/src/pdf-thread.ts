import { answerInThread, nodePorts } from '@holdfast/ports/node'
import { type Sheet, writePdf } from './write-pdf.ts'

// What runs in the thread of `openPdfDesk`. The tools for fonts are compiled here, with the first sheet.
answerInThread((sheet) => writePdf(nodePorts.disk, sheet as Sheet))
