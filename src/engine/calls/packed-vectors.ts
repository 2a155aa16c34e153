/** Vectors as the content of an artifact: little-endian 32-bit floats, one vector after the other, in base64. */
export interface PackedVectors {
  model: string;
  dimensions: number;
  vectors: string;
}

export function packVectors(model: string, vectors: readonly Float32Array[]): PackedVectors {
  const dimensions = vectors[0]?.length ?? 0;
  const view = new DataView(new ArrayBuffer(vectors.length * dimensions * 4));
  vectors.forEach((vector, row) =>
    vector.forEach((value, column) => view.setFloat32((row * dimensions + column) * 4, value, true)),
  );
  return { model, dimensions, vectors: Buffer.from(view.buffer).toString("base64") };
}

export function unpackVectors({ dimensions, vectors }: PackedVectors): Float32Array[] {
  const bytes = Buffer.from(vectors, "base64");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: dimensions === 0 ? 0 : bytes.length / 4 / dimensions }, (_, row) =>
    Float32Array.from({ length: dimensions }, (_value, column) =>
      view.getFloat32((row * dimensions + column) * 4, true),
    ),
  );
}
