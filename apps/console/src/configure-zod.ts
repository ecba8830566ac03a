import * as z from 'zod'

// The parser would try to compile itself with `new Function`, which the content security policy refuses and reports.
// Imported before everything that makes a schema.
z.config({ jitless: true })
