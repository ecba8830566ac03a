// Written by npm run openapi from the contracts of the calls.

/** Switches the key itself off, at once. Two people have to switch it on again. */
export type OpenSwitchOff = {
  input: Record<string, never>
  output: Record<string, never>
}
