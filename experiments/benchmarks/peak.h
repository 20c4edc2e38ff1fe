#pragma once

/// Independent multiply-adds from registers, in the widest lanes that this machine's compiler
/// knows: what a matrix product cannot exceed. @returns the number of additions and multiplications
/// done
double multiplyAdd(long rounds);
