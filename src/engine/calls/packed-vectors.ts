/** Vectors as an artifact keeps them: little-endian 32-bit floats, one vector after the other, in base64. */
export interface PackedVectors {
  model: string;
  dimensions: number;
  vectors: string;
}

export function packVectors(model: string, vectors: readonly Float32Array[]): PackedVectors {
  const dimensions = vectors[0]?.length ?? 0;
  const all = new DataView(new ArrayBuffer(vectors.length * dimensions * 4));
  vectors.forEach((vector, at) =>
    vector.forEach((value, place) => all.setFloat32((at * dimensions + place) * 4, value, true)),
  );
  return { model, dimensions, vectors: Buffer.from(all.buffer).toString("base64") };
}

export function unpackVectors({ dimensions, vectors }: PackedVectors): Float32Array[] {
  const bytes = Buffer.from(vectors, "base64");
  const all = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: dimensions === 0 ? 0 : bytes.length / 4 / dimensions }, (_, at) =>
    Float32Array.from({ length: dimensions }, (_value, place) => all.getFloat32((at * dimensions + place) * 4, true)),
  );
}
