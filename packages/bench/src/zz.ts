import { appendThroughput } from './benches/append-throughput.ts'
console.log((await appendThroughput()).map(r=>r.name+' '+r.value.toFixed(2)).join('\n'))
