//! Which addresses are the public internet's. Everything else is somebody's own network, or this machine.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address may be fetched from.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// By the registry of special-purpose addresses (RFC 6890 and its successors).
fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    !(a == 0
        || address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_broadcast()
        || address.is_documentation()
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 192 && b == 88 && c == 99)
        || (a == 198 && (b == 18 || b == 19))
        || a >= 240)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let parts = address.segments();
    let embedded = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    match parts {
        // IPv4 within IPv6: mapped, compatible (with :: and ::1), translated (RFC 6052), 6to4.
        [0, 0, 0, 0, 0, 0xffff, high, low] => embedded(high, low),
        [0, 0, 0, 0, 0, 0, ..] => false,
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => embedded(high, low),
        [0x64, 0xff9b, ..] => false,
        [0x2002, high, low, ..] => embedded(high, low),
        // Teredo, benchmarking, ORCHID and the rest of 2001::/23; documentation.
        [0x2001, 0..0x200 | 0xdb8, ..] | [0x3fff, 0..0x1000, ..] => false,
        // Only this part of the address space is given to the internet.
        [first, ..] => (0x2000..0x4000).contains(&first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_internets_addresses_are_public() {
        for (addresses, public) in [
            (
                "0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 127.9.9.9 169.254.169.254 172.16.0.1 \
                 172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.1 \
                 203.0.113.9 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::127.0.0.1 ::ffff:10.0.0.1 \
                 ::ffff:127.0.0.1 64:ff9b::10.0.0.1 64:ff9b:1::1 100::1 2001::1 2001:db8::1 2002:7f00:1:: \
                 2002:c0a8:101::1 3fff::1 fc00::1 fd00:ec2::254 fe80::1 fec0::1 ff02::1 5f00::1",
                false,
            ),
            (
                "1.1.1.1 8.8.8.8 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 192.1.0.1 198.17.0.1 198.20.0.1 \
                 223.255.255.255 2606:4700::1111 2a00::1 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2002:808:808::1 2001:4860::1",
                true,
            ),
        ] {
            for address in addresses.split_whitespace() {
                assert_eq!(is_public(address.parse().unwrap()), public, "{address}");
            }
        }
    }
}
