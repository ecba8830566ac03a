/** Where door two begins, as a client of the wire is given it. */
export const wireBase = (): string => `${window.location.origin}/open/wire`
