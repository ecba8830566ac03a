/** The ECDSA protocol's name in every share and message. scheme.ts has the others. */
export const PROTOCOL = 'dkls23/v1'
export const CURVE = 'secp256k1'
/** The group of the base OTs of a pair set-up. */
export const BASE_OT_CURVE = 'P-256'
/** Version of the message format. */
export const MESSAGE_VERSION = 1n

/** Two parties sign; three hold shares. */
export const THRESHOLD = 2
export const PARTY_COUNT = 3

/** kappa, the bits of the group order. DKLs23 (eprint 2023/765) section 2. */
export const KAPPA = 256
/** lambda_s, statistical security. */
export const LAMBDA_S = 80
/** lambda_c, computational security: the number of base OTs. DKLs23 section 5.1. */
export const LAMBDA_C = 128
/**
 * Bits of the OT extension's universal hash. Two of the 128 columns that differ have one hash with probability 2^-160, so a receiver that tries challenges
 * until some two do needs about 2^147 hashes: more than guessing delta or the curve's logarithm takes. With 128 bits it would be 2^115.
 */
export const CHECK_BITS = 160
/** xi = kappa + 2 lambda_s, the OTs of one multiplication. DKLs23 Protocol 5.2. */
export const XI = KAPPA + 2 * LAMBDA_S
/** rho = ceil(kappa / lambda_c), the check columns of one multiplication. DKLs23 Protocol 5.2. */
export const RHO = Math.ceil(KAPPA / LAMBDA_C)
/** l, the inputs of one multiplication: the nonce share and the key share. DKLs23 Protocol 3.6 uses RVOLE with l = 2. */
export const INPUTS = 2
/** Scalars that each OT carries. */
export const WIDTH = INPUTS + RHO

/** Bytes hashed into one scalar: 384 bits reduced modulo a 256-bit order, so the bias is below 2^-127. */
export const WIDE_BYTES = 48
export const SCALAR_BYTES = 32
export const POINT_BYTES = 33
/** Bytes of the longest encoding of a point in any of the groups. */
export const POINT_BYTES_MAX = 33
/** Bytes of one base-OT key. */
export const OT_KEY_BYTES = 32
/** Bytes of an OT-extension column: xi choices, and as many bits more as the check has, which hide them in it. */
export const COLUMN_BYTES = (XI + CHECK_BITS) / 8
