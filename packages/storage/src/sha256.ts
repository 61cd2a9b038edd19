import { hash } from 'node:crypto'
import type { Sha256 } from '@daybook/core'

export const sha256: Sha256 = (text) => hash('sha256', text, 'hex')
